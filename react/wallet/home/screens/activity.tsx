import { usePasskeyContext } from '../../../src/context.js';
import { ExternalIcon } from '../../../src/surface/icons.js';
import { ActivityByDay } from '../activity-list.js';
import { Screen } from '../parts.js';
import { useHomeTexts } from '../texts/index.js';

/** Everything that this wallet sent from this browser, as far back as it keeps it. */
export function Activity({ accountId }: { accountId: string }) {
  const words = useHomeTexts().activity;
  const { explorerUrl } = usePasskeyContext().passkeyManager.config;
  return (
    <Screen title={words.title} lead={words.lead}>
      <ActivityByDay accountId={accountId} />
      <p>
        <a className="link-out" href={`${explorerUrl}/address/${accountId}`} target="_blank" rel="noreferrer">
          {words.inExplorer} <ExternalIcon />
        </a>
      </p>
    </Screen>
  );
}
