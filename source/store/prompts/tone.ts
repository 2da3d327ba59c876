/** How a message is meant: it decides the colour of its text. */
export type Tone = 'plain' | 'good' | 'bad';
