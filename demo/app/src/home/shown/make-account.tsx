import {
  LoginMenu,
  type LoginMenuProps,
  usePasskeyToasts,
} from 'latchkey-react';
import { toast } from 'sonner';

/** Registers, logs in, recovers and links. */
export function MakeAccount(props: LoginMenuProps) {
  const { show } = usePasskeyToasts(toast);
  return <LoginMenu onToast={show} {...props} />;
}
