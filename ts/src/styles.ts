export { adoptCss } from './styles/adopt-css.js';
export { coverCss, unzoom } from './styles/cover.js';
export { markPath } from './styles/mark.js';
export { motionCss } from './styles/motion.js';
export { tokensCss } from './styles/tokens.js';
