export { adoptCss } from './styles/adopt-css.js';
export { markPath } from './styles/mark.js';
export { motionCss } from './styles/motion.js';
export { tokensCss } from './styles/tokens.js';
