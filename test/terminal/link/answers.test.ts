import { expect, test } from 'vitest';
import { parseStringAnswer } from '../../../source/terminal/link/answers.ts';
import { backgroundTone } from '../../../source/terminal/screen/luminance.ts';

test.each([
  ['11;rgb:ffff/ffff/ffff', '#ffffff'],
  ['11;rgb:2e2e/3434/4040', '#2e3440'],
  ['11;rgb:1e/1e/1e', '#1e1e1e'],
  ['11;rgb:f/f/f', '#ffffff'],
  ['11;rgb:fff/000/800', '#ff0080'],
  ['11;rgba:0000/0000/0000/ffff', '#000000'],
  ['11;RGBA:EE/E8/D5/CC', '#eee8d5'],
  ['11;#fdf6e3', '#fdf6e3'],
  ['11;#fff', '#ffffff'],
  ['11;#fdfdf6f6e3e3', '#fdf6e3'],
])('%s reports the background %s', (body, colour) => {
  expect(parseStringAnswer(body)).toEqual({ kind: 'background', colour });
});

test.each([
  '',
  '11;',
  '11;?',
  '10;rgb:ff/ff/ff',
  '11;rgb:ff/ff',
  '11;rgb:fffff/0/0',
  '11;#ffff',
  '52;c;aGk=',
])('%j reports no background', (body) => {
  expect(parseStringAnswer(body)).toBeUndefined();
});

test('backgrounds of colour schemes are dark or light', () => {
  const dark = ['#000000', '#1e1e1e', '#2e3440', '#002b36', '#300a24'];
  const light = ['#ffffff', '#fdf6e3', '#eee8d5', '#fbf1c7', '#c0c0c0'];
  expect(dark.map(backgroundTone)).toEqual(dark.map(() => 'dark'));
  expect(light.map(backgroundTone)).toEqual(light.map(() => 'light'));
});
