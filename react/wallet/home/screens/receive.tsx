import { isPlaceholderId } from 'latchkey/internal';
import { qrImage } from 'latchkey/internal/wallet';
import { type RefObject, useCallback, useState } from 'react';
import { usePasskeyContext } from '../../../src/context.js';
import { PasskeyCheck } from '../../../src/passkey-check/passkey-check.js';
import { ExternalIcon } from '../../../src/surface/icons.js';
import { Warning } from '../../../src/surface/warning.js';
import { type Failure, thrownFailure } from '../../../src/texts/error-text.js';
import { Filled } from '../../../src/texts/filled.js';
import { useLoginState } from '../../../src/use-login-state.js';
import { useRead } from '../../../src/use-read.js';
import { useHomeHooks } from '../context.js';
import { Copy, Problem, Screen } from '../parts.js';
import { useHomeTexts } from '../texts/index.js';
import { useFocusNext } from '../use-focus-next.js';

/** The account's name, to copy and to scan, and the ways of money to it; where its passkey is not proven, after that was asked for. */
export function Receive({ accountId }: { accountId: string }) {
  const words = useHomeTexts().receive;
  const isProven = useLoginState().loginState.userData?.passkeyProven !== false;
  const [isSkipped, setIsSkipped] = useState(false);
  const hasAddress = isProven || isSkipped;
  const title = useFocusNext<HTMLHeadingElement>(hasAddress);
  return (
    <Screen title={words.title} lead={hasAddress ? words.lead : undefined}>
      {hasAddress ? (
        <>
          <Address accountId={accountId} title={title} />
          <AddMoney accountId={accountId} />
        </>
      ) : (
        // The address of an account without a name is its passkey's: what is sent there is lost with other outputs.
        <PasskeyCheck onSkip={isPlaceholderId(accountId) ? undefined : () => setIsSkipped(true)} />
      )}
    </Screen>
  );
}

interface AddressProps {
  accountId: string;
  title: RefObject<HTMLHeadingElement | null>;
}

function Address({ accountId, title }: AddressProps) {
  const words = useHomeTexts().receive;
  const { networkId } = usePasskeyContext().passkeyManager.config;
  const picture = useRead(useCallback(() => qrImage(accountId), [accountId]));
  return (
    <section className="card centred">
      {/* White in both themes: cameras need a dark code on a light background. */}
      <div className="paper">
        {picture.value !== undefined && (
          <img src={picture.value} alt={words.picture} width={256} height={256} />
        )}
        {picture.isLoading && <span className="spinner" aria-hidden="true" />}
      </div>
      {picture.error && <p className="faint small">{words.noPicture}</p>}
      <div className="address-block">
        <h2 ref={title} className="eyebrow" tabIndex={-1}>
          {words.address}
        </h2>
        <p className="address">
          <strong className="break" translate="no">
            {accountId}
          </strong>
          <Copy text={accountId} what={words.address} />
        </p>
      </div>
      <p className="faint small">
        <Filled text={words.network} network={<b>{networkId}</b>} />
      </p>
    </section>
  );
}

/** The faucets of testnet, as NEAR's own documentation lists them. */
const FAUCET = 'https://docs.near.org/getting-started/faucet';

/** The ways of money to this address, and what does not find it. */
function AddMoney({ accountId }: { accountId: string }) {
  const words = useHomeTexts().receive;
  const { networkId } = usePasskeyContext().passkeyManager.config;
  const { onAddFunds } = useHomeHooks();
  const [failure, setFailure] = useState<Failure>();
  async function add(): Promise<void> {
    setFailure(undefined);
    try {
      await onAddFunds?.(accountId);
    } catch (error) {
      setFailure(thrownFailure(error));
    }
  }
  return (
    <section className="card" aria-labelledby="add-money">
      <h2 id="add-money">{words.add}</h2>
      {onAddFunds && (
        <button type="button" className="button primary" onClick={() => void add()}>
          {words.addFunds}
        </button>
      )}
      <Problem of={failure} />
      {networkId === 'testnet' && (
        <a className="link-out" href={FAUCET} target="_blank" rel="noreferrer">
          {words.faucet} <ExternalIcon />
        </a>
      )}
      <p>{words.addNear}</p>
      <p>{words.addTokens}</p>
      <Warning isNote>{words.notArriving}</Warning>
    </section>
  );
}
