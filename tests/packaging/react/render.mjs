// Renders the app as a server does, into index.html.
import { readFileSync, writeFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { App } from './app.js';

const template = readFileSync('template.html', 'utf8');
writeFileSync('index.html', template.replace('<!--app-->', renderToString(createElement(App))));
