import { CAMERA_ACCESS_FAILED, CAMERA_DEVICES_FAILED, LatchkeyError } from 'latchkey/internal';

const SIDE_IDEAL_PX = 720;
const SIDE_MIN_PX = 480;
const MOBILE_MAX_WIDTH_PX = 480;
const TABLET_MAX_WIDTH_PX = 1024;

export type DeviceType = 'mobile' | 'tablet' | 'desktop';

/** Classifies the device by its window width and touch support. */
export function deviceType(widthPx: number, touch: boolean): DeviceType {
  if (!touch) return 'desktop';
  if (widthPx <= MOBILE_MAX_WIDTH_PX) return 'mobile';
  return widthPx <= TABLET_MAX_WIDTH_PX ? 'tablet' : 'desktop';
}

/** Whether a camera faces the user; its picture is then mirrored. */
export function isFrontFacing(label: string): boolean {
  return /front|user|selfie|facetime/i.test(label);
}

/** Constraints for the camera `cameraId`, or for the one that this type of device scans with. */
export function videoConstraints(cameraId: string | undefined, device: DeviceType): MediaTrackConstraints {
  const side = { ideal: SIDE_IDEAL_PX, min: SIDE_MIN_PX };
  return {
    width: side,
    height: side,
    ...(cameraId === undefined
      ? { facingMode: { ideal: device === 'desktop' ? 'user' : 'environment' } }
      : { deviceId: { exact: cameraId } }),
  };
}

export interface OpenCamera {
  readonly stream: MediaStream;
  readonly track: MediaStreamTrack;
  readonly id: string;
  readonly mirrored: boolean;
}

/** Opens a camera. Rejects with CAMERA_ACCESS_FAILED, or with CAMERA_DEVICES_FAILED if cameras are not available. */
export async function openCamera(cameraId: string | undefined): Promise<OpenCamera> {
  const devices = mediaDevices();
  const device = deviceType(innerWidth, navigator.maxTouchPoints > 0);
  let stream: MediaStream;
  try {
    stream = await devices.getUserMedia({ audio: false, video: videoConstraints(cameraId, device) });
  } catch (error) {
    throw new LatchkeyError(CAMERA_ACCESS_FAILED, { values: { reason: reasonOf(error) }, cause: error });
  }
  const [track] = stream.getVideoTracks();
  if (!track) {
    closeStream(stream);
    throw new LatchkeyError(CAMERA_DEVICES_FAILED);
  }
  return { stream, track, id: track.getSettings().deviceId ?? '', mirrored: isFrontFacing(track.label) };
}

/** The cameras of this device. Labels are present once one has been opened. */
export async function listCameras(): Promise<MediaDeviceInfo[]> {
  try {
    return (await mediaDevices().enumerateDevices()).filter(({ kind }) => kind === 'videoinput');
  } catch (error) {
    throw new LatchkeyError(CAMERA_DEVICES_FAILED, { cause: error });
  }
}

/** Stops every track, which also turns off the camera's light. */
export function closeStream(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function mediaDevices(): MediaDevices {
  // Undefined outside secure contexts, despite the type.
  const devices: MediaDevices | undefined = navigator.mediaDevices;
  if (!devices) throw new LatchkeyError(CAMERA_DEVICES_FAILED);
  return devices;
}

/** Why the browser refused, and what the user can do. */
function reasonOf(error: unknown): string {
  const name = error instanceof DOMException || error instanceof Error ? error.name : '';
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'permission was denied. Allow the camera for this site in your browser, then try again.';
    case 'NotFoundError':
      return 'no camera was found. Connect one, then try again.';
    case 'NotReadableError':
    case 'AbortError':
      return 'the camera could not be started. Close other programs that use it, then try again.';
    case 'OverconstrainedError':
      return `no camera gives a picture of ${SIDE_MIN_PX} pixels. Choose or connect another one, then try again.`;
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
