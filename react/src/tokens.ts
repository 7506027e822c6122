/** The design tokens and the mark live in `latchkey`: its key viewer uses them too. */
export { adoptCss, markPath, motionCss, tokensCss } from 'latchkey/styles';
