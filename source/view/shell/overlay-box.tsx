import { GrantBox } from '../grants/form-box.tsx';
import { TemplatePicker } from '../deployments/template-picker.tsx';
import { HelpBox } from './help/help-box.tsx';
import { LogColumnsBox } from '../log/columns/columns-box.tsx';
import { LogFiltersBox } from '../log/filters-box.tsx';
import { LogServicesBox } from '../log/services-box.tsx';
import { ProfilePicker } from './profile-picker.tsx';
import { PaletteBox } from './palette/palette-box.tsx';
import { QuestionBox } from './prompts/confirm-box.tsx';
import { RestartBox } from '../restarts/restart-box.tsx';
import { RestartsBox } from '../restarts/pending-box.tsx';
import { ServicePicker } from '../files/service-picker.tsx';
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
    case 'services':
      return <ServicePicker line={{ text: overlay.narrow, caret: overlay.caret }} {...props} />;
    case 'log-services':
      return <LogServicesBox open={overlay} {...props} />;
    case 'log-columns':
      return <LogColumnsBox open={overlay} {...props} />;
    case 'log-filters':
      return <LogFiltersBox open={overlay} {...props} />;
    case 'palette':
      return <PaletteBox open={overlay} {...props} />;
    case 'beginnings':
      return <TemplatePicker line={{ text: overlay.narrow, caret: overlay.caret }} {...props} />;
    case 'profiles':
      return <ProfilePicker line={{ text: overlay.narrow, caret: overlay.caret }} {...props} />;
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
