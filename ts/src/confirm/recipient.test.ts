import { expect, it } from 'vitest';
import { isNamedBy } from './recipient.js';

it.each([
  ['https://app.example', 'https://app.example'],
  ['https://app.example/', 'https://app.example'],
  ['app.example', 'https://app.example'],
  ['App.Example', 'https://app.example'],
  ['localhost:5173', 'http://localhost:5173'],
  ['localhost', 'http://localhost:5173'],
])('the recipient %j names %s', (recipient, origin) => {
  expect(isNamedBy(recipient, origin)).toBe(true);
});

it.each([
  ['http://app.example', 'https://app.example'],
  ['example', 'https://app.example'],
  ['evil.app.example', 'https://app.example'],
  ['app.example.evil', 'https://app.example'],
  ['https://app.example/path', 'https://app.example'],
  ['app.example ', 'https://app.example'],
  ['аpp.example', 'https://app.example'],
  ['guestbook.near', 'https://app.example'],
  ['', 'https://app.example'],
])('the recipient %j does not name %s', (recipient, origin) => {
  expect(isNamedBy(recipient, origin)).toBe(false);
});
