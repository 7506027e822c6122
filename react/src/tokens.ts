/** The design tokens and the mark live in `latchkey`, with what covers a page: its own frames use them too. */
export { adoptCss, coverCss, markPath, motionCss, tokensCss, unzoom } from 'latchkey/internal';
