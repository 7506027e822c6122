import type { ConfirmModel } from 'latchkey';
import type { ReactNode } from 'react';
import { UntrustedText } from '../surface/untrusted-text.js';
import { type ConfirmTexts, useConfirmTexts } from '../texts/confirm-texts.js';
import { Filled } from '../texts/filled.js';
import { leadOf } from './headline.js';

/** Who signs, where and for whom: it stays in view while the question scrolls. */
export function RequestContext({ model }: { model: ConfirmModel }) {
  const texts = useConfirmTexts();
  const { facts } = texts;
  const lead = leadOf(model, texts);
  const account = (
    <strong>
      <UntrustedText text={model.accountId} />
    </strong>
  );
  const network = <UntrustedText text={networkName(model.networkId, facts)} />;
  return (
    <>
      {lead !== undefined && (
        <Line>
          <Filled text={lead} account={account} />
        </Line>
      )}
      {model.kind === 'transactions' && (
        <Line>
          <Filled text={facts.from} account={account} network={network} />
        </Line>
      )}
      {model.kind === 'registration' && <Line>{network}</Line>}
      {model.kind === 'nep413' && lead === undefined && (
        <Line>
          <Filled text={facts.as} account={account} />
        </Line>
      )}
      {model.askedBy !== undefined && (
        <Line>
          <Filled
            text={facts.askedBy}
            site={
              <strong>
                <UntrustedText text={siteOf(model.askedBy)} />
              </strong>
            }
          />
        </Line>
      )}
    </>
  );
}

const Line = ({ children }: { children: ReactNode }) => <span className="context">{children}</span>;

/** An origin without `https://`. Any other scheme stays visible. */
export const siteOf = (origin: string): string => origin.replace(/^https:\/\//, '');

/** What a person should know of the network: that it is for tests, or its name. */
export function networkName(networkId: string, { testNetwork }: ConfirmTexts['facts']): string {
  return networkId === 'testnet' ? testNetwork : networkId;
}
