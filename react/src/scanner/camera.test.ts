import { describe, expect, it } from 'vitest';
import { deviceType, isFrontFacing, videoConstraints } from './camera.js';

describe('the camera (core 9, kit 9)', () => {
  it.each([
    [320, true, 'mobile'],
    [480, true, 'mobile'],
    [481, true, 'tablet'],
    [1024, true, 'tablet'],
    [1025, true, 'desktop'],
    [320, false, 'desktop'],
    [1600, false, 'desktop'],
  ] as const)('treats a window of %i pixels, touch %s, as a %s', (width, touch, type) => {
    expect(deviceType(width, touch)).toBe(type);
  });

  it.each(['Front Camera', 'camera2 1, facing front', 'User camera', 'My Selfie Cam', 'FaceTime HD Camera'])(
    'is mirrored: %s',
    (label) => expect(isFrontFacing(label)).toBe(true),
  );

  it.each(['', 'Back Camera', 'camera2 0, facing back', 'USB2.0 HD Webcam'])(
    'is not mirrored: "%s"',
    (label) => expect(isFrontFacing(label)).toBe(false),
  );

  it('is the back one on mobile and tablet and the user-facing one on desktop', () => {
    const facing = (type: 'mobile' | 'tablet' | 'desktop') => videoConstraints(undefined, type).facingMode;
    expect(facing('mobile')).toEqual({ ideal: 'environment' });
    expect(facing('tablet')).toEqual({ ideal: 'environment' });
    expect(facing('desktop')).toEqual({ ideal: 'user' });
  });

  it('is asked for 720 by 720 pixels, at least 480, by its id if one was chosen', () => {
    const side = { ideal: 720, min: 480 };
    expect(videoConstraints('cam-1', 'mobile')).toEqual({
      width: side,
      height: side,
      deviceId: { exact: 'cam-1' },
    });
    expect(videoConstraints(undefined, 'desktop')).toMatchObject({ width: side, height: side });
  });
});
