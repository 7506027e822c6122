import type { AppKey } from 'latchkey';
import { filled } from 'latchkey/internal';
import { useCallback, useState } from 'react';
import { usePasskeyContext } from '../../../src/context.js';
import { showAmount } from '../../../src/format/amount.js';
import { KeyIcon } from '../../../src/surface/icons.js';
import { UntrustedText } from '../../../src/surface/untrusted-text.js';
import { loadHeadlines } from '../../../src/texts/current.js';
import { type Failure, outcomeFailure, thrownFailure } from '../../../src/texts/error-text.js';
import { Filled } from '../../../src/texts/filled.js';
import { usePasskeyToasts } from '../../../src/toasts/use-passkey-toasts.js';
import { useRead } from '../../../src/use-read.js';
import { Empty, Failed, Loading, Problem, Screen } from '../parts.js';
import { useHomeTexts } from '../texts/index.js';
import { useSay, useToaster } from '../toaster.js';

/** The keys that apps call with, by the contract that each may call. */
export function AppKeys({ accountId }: { accountId: string }) {
  const words = useHomeTexts().keys;
  const { passkeyManager } = usePasskeyContext();
  const toasts = usePasskeyToasts(useToaster());
  const say = useSay();
  const keys = useRead(useCallback(() => passkeyManager.getAppKeys(accountId), [passkeyManager, accountId]));
  const [revoking, setRevoking] = useState<string>();
  const [problem, setProblem] = useState<Failure | string>();

  async function revoke(publicKey: string): Promise<void> {
    if (revoking !== undefined) return;
    setRevoking(publicKey);
    setProblem(undefined);
    void loadHeadlines();
    try {
      const { success, ...failed } = await passkeyManager.revokeAppKey({
        nearAccountId: accountId,
        publicKey,
        options: {
          waitUntil: 'FINAL',
          onEvent: (event) => toasts.onEvent(event, { id: 'revoke', ownFailures: true }),
        },
      });
      if (success) say(words.revoked);
      else setProblem(failed.errorCode === 'CANCELLED' ? words.cancelled : outcomeFailure(failed));
      await keys.reload();
    } catch (error) {
      setProblem(thrownFailure(error));
    } finally {
      setRevoking(undefined);
    }
  }

  return (
    <Screen title={words.title} lead={words.lead}>
      <Problem of={problem} />
      {keys.error && keys.value === undefined && (
        <Failed title={words.unread} error={keys.error} onAgain={() => void keys.reload()} />
      )}
      {keys.isLoading && keys.value === undefined && <Loading />}
      {keys.value?.length === 0 && <Empty icon={<KeyIcon />} title={words.none} more={words.noneMore} />}
      {byApp(keys.value ?? []).map(([receiverId, ofApp]) => (
        <section key={receiverId} className="card group" aria-label={filled(words.list, { app: receiverId })}>
          <h2 className="break">
            <UntrustedText text={receiverId} />
          </h2>
          <ul className="list">
            {ofApp.map((key) => (
              <KeyRow
                key={key.publicKey}
                appKey={key}
                isBusy={revoking === key.publicKey}
                onRevoke={revoke}
              />
            ))}
          </ul>
        </section>
      ))}
    </Screen>
  );
}

interface KeyRowProps {
  appKey: AppKey;
  isBusy: boolean;
  onRevoke: (publicKey: string) => Promise<void>;
}

function KeyRow({ appKey, isBusy, onRevoke }: KeyRowProps) {
  const words = useHomeTexts().keys;
  const { publicKey, receiverId, methodNames, allowance, isHere, isOnChain } = appKey;
  return (
    <li className="entry">
      <div className="entry-head">
        <code className="key break">{publicKey}</code>
        <span className="chip" data-tone={isHere ? 'good' : 'open'}>
          {!isOnChain ? words.gone : isHere ? words.here : words.elsewhere}
        </span>
      </div>
      {isOnChain && (
        <>
          <p className="small break">
            {methodNames.length === 0 ? (
              words.everyMethod
            ) : (
              <UntrustedText text={filled(words.methods, { names: methodNames.join(', ') })} limit={300} />
            )}
          </p>
          <p className="faint small">
            {allowance === null ? (
              words.unlimited
            ) : (
              <Filled text={words.allowance} amount={<b>{showAmount(allowance)?.near ?? allowance}</b>} />
            )}
          </p>
        </>
      )}
      <button
        type="button"
        className="button danger-quiet"
        aria-label={filled(words.revokeOf, { app: receiverId, key: publicKey })}
        aria-disabled={isBusy}
        onClick={() => void onRevoke(publicKey)}
      >
        {isBusy ? words.revoking : words.revoke}
      </button>
    </li>
  );
}

/** The keys of each contract, in the order of the contracts' names. */
function byApp(keys: readonly AppKey[]): readonly (readonly [receiverId: string, keys: readonly AppKey[]])[] {
  const groups = new Map<string, AppKey[]>();
  for (const key of keys) groups.set(key.receiverId, [...(groups.get(key.receiverId) ?? []), key]);
  return [...groups].sort(([a], [b]) => a.localeCompare(b));
}
