import { AlertIcon } from 'latchkey-react/icons';
import { useNavigate } from 'react-router';

/** In place of a page of the documentation that could not be loaded. */
export function DocsFailed() {
  const navigate = useNavigate();
  return (
    <div className="notice bad" role="alert">
      <AlertIcon />
      <div>
        <span>This page could not be loaded. Check your connection, then try again.</span>
        <button type="button" className="button small" onClick={() => void navigate(0)}>
          Try again
        </button>
      </div>
    </div>
  );
}
