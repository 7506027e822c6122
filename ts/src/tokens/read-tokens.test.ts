import { describe, expect, it } from 'vitest';
import { readToken, readTokens } from './index.js';
import { panic, startIndexer, startTokenChain, token } from './testing/token-chain.js';

const ALICE = 'alice.testnet';
const ICON = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

/** The tokens of alice on a chain with these contracts. */
async function tokensOn(
  contracts: Parameters<typeof startTokenChain>[0],
  contractIds = Object.keys(contracts),
) {
  const { nodes } = await startTokenChain(contracts);
  return readTokens(nodes, ALICE, { contractIds });
}

describe('the tokens of an account', () => {
  it('are what the contracts say, in the order in which they were chosen', async () => {
    const gold = token(
      { name: 'Gold coin', symbol: 'GOLD', decimals: 6, icon: ICON },
      { [ALICE]: '1500000' },
    );
    const { tokens, unread } = await tokensOn({ 'gold.near': gold, 'test.near': token({}) });
    expect(tokens).toEqual([
      {
        contractId: 'gold.near',
        name: 'Gold coin',
        symbol: 'GOLD',
        decimals: 6,
        icon: ICON,
        balance: '1500000',
      },
      { contractId: 'test.near', name: 'Test coin', symbol: 'TEST', decimals: 2, balance: '0' },
    ]);
    expect(unread).toEqual([]);
  });

  it('are asked for their metadata once, and for their balance each time', async () => {
    const { nodes, asked } = await startTokenChain({ 'test.near': token({}) });
    await readTokens(nodes, ALICE, { contractIds: ['test.near', 'test.near'] });
    await readTokens(nodes, ALICE, { contractIds: ['test.near'] });
    expect(asked.toSorted()).toEqual([
      'test.near.ft_balance_of',
      'test.near.ft_balance_of',
      'test.near.ft_metadata',
    ]);
  });

  it('are few: of more than 50 contracts, and of what is no account id, none is asked', async () => {
    const { nodes, asked } = await startTokenChain({});
    const contractIds = ['NOT AN ID', ...Array.from({ length: 60 }, (_, index) => `t${index}.near`)];
    const { unread } = await readTokens(nodes, ALICE, { contractIds });
    expect(unread).toHaveLength(50);
    expect(new Set(asked.map((call) => call.replace(/\.ft_\w+$/, ''))).size).toBe(50);
  });
});

describe('a contract that lies or fails', () => {
  it('has its words without what is hidden or reorders, and short [S92]', async () => {
    const name = `\u202EDeutsche\u200B Bank  \u2066\n${'y'.repeat(100)}`;
    const { tokens } = await tokensOn({ 'x.near': token({ symbol: `U\u202ESD${'C'.repeat(90)}`, name }) });
    expect(tokens[0]).toMatchObject({
      symbol: `USD${'C'.repeat(13)}`,
      name: `Deutsche Bank ${'y'.repeat(26)}`,
    });
  });

  it('that is named like a bank has its own id next to the name, which no other can have', async () => {
    const named = token({ name: 'Deutsche Bank AG', symbol: 'EUR' }, { [ALICE]: '1' });
    const { tokens } = await tokensOn({ 'scam.near': named });
    expect(tokens[0]).toMatchObject({ contractId: 'scam.near', name: 'Deutsche Bank AG', symbol: 'EUR' });
  });

  it.each<[string, object]>([
    ['77 decimals', { decimals: 77 }],
    ['a fraction of a decimal', { decimals: 0.5 }],
    ['decimals as a text', { decimals: '6' }],
    ['an invisible symbol', { symbol: '\u200B\u202E' }],
    ['metadata without an end', { name: 'x'.repeat(200_000) }],
  ])('is told apart where it has %s, and the others are read', async (_, metadata) => {
    const { tokens, unread } = await tokensOn({ 'bad.near': token(metadata), 'good.near': token({}) });
    expect(tokens.map(({ contractId }) => contractId)).toEqual(['good.near']);
    expect(unread).toMatchObject([{ contractId: 'bad.near', error: { code: 'TOKEN_UNUSABLE' } }]);
  });

  it.each<[string, string]>([
    ['an address', 'https://scam.example/i.png'],
    ['a page', 'data:text/html,<script>alert(1)</script>'],
    ['more than 64 KB', `data:image/png;base64,${'A'.repeat(70_000)}`],
  ])('has no icon where it gives %s [S92]', async (_, icon) => {
    const { tokens } = await tokensOn({ 'x.near': token({ icon }) });
    expect(tokens[0]).toMatchObject({ symbol: 'TEST' });
    expect(tokens[0]).not.toHaveProperty('icon');
  });

  it('that panics, or is no token, is unread with its own words', async () => {
    const panicking = { ...token({}), ft_balance_of: panic('no balance for you') };
    const { unread } = await tokensOn({ 'panics.near': panicking, 'app.near': {} });
    expect(unread.map(({ error: { code, message } }) => [code, message])).toEqual([
      ['TOKEN_UNUSABLE', expect.stringContaining('no balance for you')],
      ['TOKEN_UNUSABLE', expect.stringContaining('MethodNotFound')],
    ]);
    const { nodes } = await startTokenChain({});
    await expect(readToken(nodes, ALICE, 'app.near')).rejects.toMatchObject({ code: 'TOKEN_UNUSABLE' });
    await expect(readToken(nodes, ALICE, 'not an id')).rejects.toMatchObject({ code: 'INVALID_ACCOUNT_ID' });
  });

  it('is no blame on a contract where no node answers', async () => {
    const nodes = { rpcUrls: ['http://127.0.0.1:1'], rpcAgreement: 1 };
    const { unread } = await readTokens(nodes, ALICE, { contractIds: ['test.near'] });
    expect(unread).toMatchObject([{ error: { code: 'NEAR_RPC_FAILED' } }]);
  });
});

describe('an indexer', () => {
  const contracts = {
    'gold.near': token({ symbol: 'GOLD', name: 'Gold' }, { [ALICE]: '7' }),
    'own.near': token({ symbol: 'OWN', name: 'Own' }, { [ALICE]: '1' }),
    'empty.near': token({ symbol: 'EMPTY', name: 'Empty' }),
  };
  const rows = (...ids: string[]) =>
    ids.map((contract_id) => ({ contract_id, balance: '999999', last_update_block_height: null }));
  async function withIndexer(answer: object | string, account_id = ALICE, status = 200) {
    const indexer = await startIndexer((_path, response) => {
      response.statusCode = status;
      response.end(typeof answer === 'string' ? answer : JSON.stringify({ account_id, ...answer }));
    });
    const { nodes } = await startTokenChain(contracts);
    const sources = { contractIds: ['own.near'], indexerUrl: `${indexer.url}/?apiKey=k` };
    return { ...indexer, read: await readTokens(nodes, ALICE, sources) };
  }

  it('adds the tokens that the account has, with the balance of the chain', async () => {
    const { read, paths } = await withIndexer({ tokens: rows('gold.near', 'own.near') });
    expect(paths).toEqual([`/v1/account/${ALICE}/ft?apiKey=k`]);
    expect(read.tokens).toMatchObject([
      { contractId: 'own.near', balance: '1' },
      { contractId: 'gold.near', balance: '7' },
    ]);
    expect(read.indexerError).toBeUndefined();
  });

  it('that lies brings no row: a token that the account has not, one that is none, an id that is none [S91]', async () => {
    const { read } = await withIndexer({ tokens: rows('empty.near', 'app.near', '<script>', 'own.near') });
    expect(read.tokens).toMatchObject([{ contractId: 'own.near', balance: '1' }]);
    expect(read.unread).toEqual([]);
  });

  it('that lags hides nothing that was chosen [S91]', async () => {
    const { read } = await withIndexer({ tokens: [{ contract_id: 'gold.near', balance: '0' }] });
    expect(read.tokens.map(({ contractId, balance }) => [contractId, balance])).toEqual([
      ['own.near', '1'],
      ['gold.near', '7'],
    ]);
  });

  it.each<[string, object | string, string?, number?]>([
    ['is down', 'Bad gateway', ALICE, 502],
    ['answers for another account', { tokens: rows('gold.near') }, 'bob.testnet'],
    ['answers something else', '[1'],
    ['answers without an end', `{"account_id":"${ALICE}","tokens":[],"x":"${'x'.repeat(600_000)}"}`],
  ])('that %s is told apart, and the chosen tokens are read [S91]', async (_, answer, of, status) => {
    const { read } = await withIndexer(answer, of, status);
    expect(read.tokens).toMatchObject([{ contractId: 'own.near' }]);
    expect(read.indexerError).toMatchObject({ code: 'TOKEN_INDEXER_FAILED' });
  });

  it('is not asked unless it is named', async () => {
    const { nodes } = await startTokenChain(contracts);
    const { tokens } = await readTokens(nodes, ALICE, { contractIds: ['own.near'] });
    expect(tokens).toHaveLength(1);
  });
});
