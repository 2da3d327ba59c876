import { type ReactNode, useLayoutEffect } from 'react';
import type { ColourDepth } from '../../terminal/screen/colour.ts';
import { resolveTheme } from '../text/resolve-theme.ts';
import { useLasting } from './use-lasting.ts';
import { ThemeContext, usePainter, useScreen, useSlowLink } from './context.ts';

/** Milliseconds that a link is slow or fast before the number of colours follows: a stall is short. */
const shownSlowness = 3000;

/** Draws its children in the theme that the person has chosen, in colours that the terminal shows. */
export function Themed(props: { readonly colours: ColourDepth; readonly children: ReactNode }) {
  const choice = useScreen((screen) => screen.theme);
  const background = useScreen((screen) => screen.background);
  const hasTrueColour = useScreen((screen) => screen.hasTrueColour);
  const isSlow = useLasting(useSlowLink(), shownSlowness);
  const painter = usePainter();
  const { colours } = props;
  const theme = resolveTheme({ theme: choice, background, hasTrueColour, colours, isSlow });
  useLayoutEffect(() => painter?.setGround(theme.ground), [painter, theme]);
  return <ThemeContext value={theme}>{props.children}</ThemeContext>;
}
