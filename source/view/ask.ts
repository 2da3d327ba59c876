import type { Console } from '../store/console.ts';
import { asking, type Question } from '../store/question.ts';

/**
 * Puts a box up and gives the option that was chosen. It waits for what lies above the panes to be
 * done with: nothing that is typed there may be lost, or taken for an answer.
 */
export function ask(
  console: Pick<Console, 'screen'>,
  question: Omit<Question, 'answer'>,
): Promise<number> {
  const { screen } = console;
  return new Promise((answer) => {
    const isUp = () => {
      if (screen.getState().overlay !== undefined) return false;
      screen.setState({ overlay: asking({ ...question, answer }) });
      return true;
    };
    if (isUp()) return;
    const stop = screen.subscribe(({ overlay }) => {
      if (overlay !== undefined) return;
      stop();
      // What ended the other may put up something else of its own at once.
      queueMicrotask(() => {
        if (!isUp()) void ask(console, question).then(answer);
      });
    });
  });
}
