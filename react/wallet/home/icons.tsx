/** The icons of the home page, in addition to the kit's. */
import { Icon } from '../../src/surface/icons.js';

export const ActivityIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7" />
    <path d="M10 6v4l2.600 1.800" />
  </Icon>
);
export const AppsIcon = () => (
  <Icon>
    <rect x="3" y="3" width="6" height="6" rx="1.6" />
    <rect x="11" y="3" width="6" height="6" rx="1.6" />
    <rect x="3" y="11" width="6" height="6" rx="1.6" />
    <rect x="11" y="11" width="6" height="6" rx="1.6" />
  </Icon>
);
export const HomeIcon = () => (
  <Icon>
    <path d="M3.500 9 10 3.500 16.500 9v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V9Z M8 17v-5h4v5" />
  </Icon>
);
export const PeopleIcon = () => (
  <Icon>
    <circle cx="10" cy="7" r="3.200" />
    <path d="M4 17a6 6 0 0 1 12 0" />
  </Icon>
);
export const ReceiveIcon = () => (
  <Icon>
    <path d="M10 3v10M5.500 9 10 13.500 14.500 9M4 17h12" />
  </Icon>
);
export const SendIcon = () => (
  <Icon>
    <path d="M10 14V4M5.500 8.500 10 4l4.500 4.500M4 17h12" />
  </Icon>
);
