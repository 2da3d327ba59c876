import { GrantBox } from '../grants/form-box.tsx';
import { HelpBox } from './help/help-box.tsx';
import { LogColumnsBox } from '../log/columns/columns-box.tsx';
import { LogFiltersBox } from '../log/filters-box.tsx';
import { LogServicesBox } from '../log/services-box.tsx';
import { PaletteBox } from './palette/palette-box.tsx';
import { MenuBox } from '../popup/menu-box.tsx';
import { QuestionBox } from './prompts/confirm-box.tsx';
import { RestartBox } from '../restarts/restart-box.tsx';
import { RestartsBox } from '../restarts/pending-box.tsx';
import { TrashBox } from '../trash/trash-box.tsx';
import { useClickCover } from '../parts/click-map.ts';
import { useScreen } from '../parts/context.ts';

/** The box of the open overlay; nothing for overlays in the last rows. */
export function OverlayBox(props: { readonly columns: number; readonly rows: number }) {
  const overlay = useScreen((screen) => screen.overlay);
  useClickCover(overlay !== undefined);
  switch (overlay?.kind) {
    case 'help':
      return <HelpBox open={overlay} {...props} />;
    case 'menu':
      return <MenuBox open={overlay} {...props} />;
    case 'log-services':
      return <LogServicesBox open={overlay} {...props} />;
    case 'log-columns':
      return <LogColumnsBox open={overlay} {...props} />;
    case 'log-filters':
      return <LogFiltersBox open={overlay} {...props} />;
    case 'palette':
      return <PaletteBox open={overlay} {...props} />;
    case 'trash':
      return <TrashBox open={overlay} {...props} />;
    case 'restart':
      return <RestartBox {...overlay} {...props} />;
    case 'restarts':
      return <RestartsBox {...overlay} {...props} />;
    case 'question':
      return <QuestionBox box={overlay} {...props} />;
    case 'grant':
      return <GrantBox form={overlay} {...props} />;
    case 'filter':
    case 'prompt':
    case 'find':
    case undefined:
      return undefined;
  }
}
