/** The design tokens and the mark live in `latchkey`, whose key viewer draws with them too. */
export { adoptCss, markPath, tokensCss } from 'latchkey/styles';
