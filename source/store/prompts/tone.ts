/** Tone of a message; it decides the colour of the text. */
export type Tone = 'plain' | 'good' | 'bad';
