import { createRoot } from 'react-dom/client';
import { Account } from './account';
import { endSession, Session } from './session';
import { appName, language } from './settings';
import './style.css';
import { Wallet } from './wallet';

document.title = appName;
document.documentElement.lang = language;
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');
createRoot(root).render(
  <Wallet>
    <Account onLogout={endSession}>
      <Session />
    </Account>
  </Wallet>,
);
