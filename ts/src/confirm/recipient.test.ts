// Specification: core 4
import { expect, it } from 'vitest';
import { isNamedBy } from './recipient.js';

it.each([
  ['https://app.example', 'https://app.example'],
  ['https://app.example/', 'https://app.example'],
  ['app.example', 'https://app.example'],
  ['App.Example', 'https://app.example'],
  ['localhost:5173', 'http://localhost:5173'],
  ['localhost', 'http://localhost:5173'],
  ['localhost:80', 'http://localhost'],
  ['game.localhost', 'http://game.localhost:5173'],
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['127.0.10.200', 'http://127.0.10.200:8080'],
  ['app.example:8443', 'https://app.example:8443'],
  ['app.example:443', 'https://app.example'],
])('the recipient %j names %s', (recipient, origin) => {
  expect(isNamedBy(recipient, origin)).toBe(true);
});

it.each([
  ['http://app.example', 'https://app.example'],
  ['app.example', 'https://app.example:8443'],
  ['app.example:8443', 'https://app.example'],
  ['app.example:80', 'https://app.example'],
  ['localhost:5174', 'http://localhost:5173'],
  ['localhost.example', 'https://localhost.example:8443'],
  ['mylocalhost', 'http://mylocalhost:5173'],
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
