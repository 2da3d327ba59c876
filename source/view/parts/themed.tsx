import { type ReactNode, useLayoutEffect } from 'react';
import type { ColourDepth } from '../../terminal/screen/colour.ts';
import { resolveTheme } from '../text/resolve-theme.ts';
import { ThemeContext, usePainter, useScreen } from './context.ts';

/** Draws its children in the theme that the person has chosen, in colours that the terminal shows. */
export function Themed(props: { readonly colours: ColourDepth; readonly children: ReactNode }) {
  const choice = useScreen((screen) => screen.theme);
  const background = useScreen((screen) => screen.background);
  const hasTrueColour = useScreen((screen) => screen.hasTrueColour);
  const painter = usePainter();
  const { colours } = props;
  const theme = resolveTheme({ theme: choice, background, hasTrueColour, colours });
  useLayoutEffect(() => painter?.setGround(theme.ground), [painter, theme]);
  return <ThemeContext value={theme}>{props.children}</ThemeContext>;
}
