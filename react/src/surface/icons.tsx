/** The icons of the wallet's surfaces, also for the host's buttons: 1 em, in the text's colour. */

import type { ReactNode } from 'react';
import { markPath } from '../tokens.js';

/** What every icon is drawn in: 20 by 20 units. One that points along the lines is mirrored where they run from right to left. */
export function Icon({ children, points }: { children: ReactNode; points?: 'ahead' | undefined }) {
  return (
    <svg
      className={points ? `icon ${points}` : 'icon'}
      width="1em"
      height="1em"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

/** Latchkey's mark: the page colours `.plate` and `.key`. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 40 40" aria-hidden="true">
      <rect width="40" height="40" rx="11" className="plate" />
      <path className="key" d={markPath} />
    </svg>
  );
}

export const AlertIcon = () => (
  <Icon>
    <path d="M10 3 18 17H2L10 3Z M10 8.5v3.7 M10 14.6v.1" />
  </Icon>
);
export const ArrowIcon = () => (
  <Icon points="ahead">
    <path d="M4 10h12M11 5l5 5-5 5" />
  </Icon>
);
export const BackIcon = () => (
  <Icon points="ahead">
    <path d="M16 10H4M9 5l-5 5 5 5" />
  </Icon>
);
export const CameraOffIcon = () => (
  <Icon>
    <path d="M7.5 5.5 8.6 4h2.8l1.1 1.5H16a1.5 1.5 0 0 1 1.5 1.5v7.5M14.5 16H4a1.5 1.5 0 0 1-1.5-1.500V7A1.5 1.5 0 0 1 4 5.500M3 2.500l14 15" />
  </Icon>
);
export const CheckIcon = () => (
  <Icon>
    <path d="m4.5 10.5 3.5 3.5 7.5-8" />
  </Icon>
);
export const CloseIcon = () => (
  <Icon>
    <path d="m5 5 10 10M15 5 5 15" />
  </Icon>
);
export const CopyIcon = () => (
  <Icon>
    <rect x="7" y="7" width="9.5" height="9.5" rx="2" />
    <path d="M13 7V5.500a2 2 0 0 0-2-2H5.500a2 2 0 0 0-2 2V11a2 2 0 0 0 2 2H7" />
  </Icon>
);
export const DeviceIcon = () => (
  <Icon>
    <rect x="3" y="4" width="14" height="9" rx="1.6" />
    <path d="M7 16.500h6M10 13v3.5" />
  </Icon>
);
export const DevicesIcon = () => (
  <Icon>
    <path d="M2.5 13.500V6A1.5 1.5 0 0 1 4 4.500h10M1.5 16H9" />
    <rect x="11.5" y="7.5" width="6" height="9" rx="1.5" />
  </Icon>
);
export const ExternalIcon = () => (
  <Icon>
    <path d="M8 4H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1v-3M11 4h5v5M16 4l-7 7" />
  </Icon>
);
export const KeyIcon = () => (
  <Icon>
    <circle cx="7" cy="13" r="3.5" />
    <path d="m9.5 10.5 7-7M13.5 6.500l2.5 2.5" />
  </Icon>
);
export const LockIcon = () => (
  <Icon>
    <rect x="4" y="9" width="12" height="8" rx="2" />
    <path d="M7 9V6.5a3 3 0 0 1 6 0V9" />
  </Icon>
);
export const MoonIcon = () => (
  <Icon>
    <path d="M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3Z" />
  </Icon>
);
export const PhraseIcon = () => (
  <Icon>
    <path d="M5 2.5h7l3 3v12H5z M12 2.5v3h3 M7.5 9h5 M7.5 11.7h5 M7.5 14.4h3" />
  </Icon>
);
export const PlusIcon = () => (
  <Icon>
    <path d="M10 4.5v11M4.5 10h11" />
  </Icon>
);
export const RefreshIcon = () => (
  <Icon>
    <path d="M16 10a6 6 0 1 1-1.8-4.300M16 3v3.500h-3.5" />
  </Icon>
);
export const ScanIcon = () => (
  <Icon>
    <path d="M3 7V4.5A1.5 1.5 0 0 1 4.5 3H7M13 3h2.500A1.5 1.5 0 0 1 17 4.500V7M17 13v2.500a1.5 1.5 0 0 1-1.5 1.500H13M7 17H4.500A1.5 1.5 0 0 1 3 15.500V13M6.5 10h7" />
  </Icon>
);
export const SettingsIcon = () => (
  <Icon>
    <path d="M3 6h7M14 6h3M3 14h3M10 14h7" />
    <circle cx="12" cy="6" r="2" />
    <circle cx="8" cy="14" r="2" />
  </Icon>
);
export const SunIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="3.4" />
    <path d="M10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.3 4.3l1.2 1.2M14.5 14.5l1.2 1.2M4.3 15.7l1.2-1.2M14.5 5.5l1.2-1.2" />
  </Icon>
);
