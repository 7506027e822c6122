import type { LoginMenuProps } from 'latchkey-react';
import { texts } from '../texts/texts.js';
import { CLAIMS } from './claims.js';
import { CodePanel } from './code-panel.js';
import { ACCOUNT_STEP } from './needs-account.js';
import { Safety } from './safety.js';
import { MakeAccount } from './shown/make-account.js';
import Code from './shown/make-account.tsx?code';
import { Step } from './step.js';

const words = texts.home.account;

interface AccountStepProps {
  /** The account that is logged in. */
  accountId: string | undefined;
  /** What the login menu gets; undefined for a user who is logged in. */
  menu: LoginMenuProps | undefined;
}

/** The first step: the login menu, or the account that is logged in. */
export function AccountStep({ accountId, menu }: AccountStepProps) {
  const isDone = accountId !== undefined;
  return (
    <Step
      id={ACCOUNT_STEP}
      title={words.title}
      lead={words.lead}
      isDone={isDone}
      isFolded={isDone}
      code={<CodePanel file="make-account.tsx" of={Code} />}
      safety={<Safety claims={CLAIMS.account} />}
    >
      {isDone && <p className="break">{words.open(accountId)}</p>}
      {menu && (
        <div className="menu-place">
          <MakeAccount {...menu} />
        </div>
      )}
    </Step>
  );
}
