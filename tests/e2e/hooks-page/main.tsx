// A dapp that signs by near-connect-hooks, unmodified, with the connector that it asks for. The component is the one of its
// documentation, with a button for each call.
import { NearProvider, useNearWallet } from 'near-connect-hooks';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const env = import.meta.env as Readonly<Record<string, string>>;

/** What a button does with the hook's calls. `input` is the text that the test wrote. */
type Act = (near: ReturnType<typeof useNearWallet>, input: Input) => Promise<unknown>;
interface Input {
  readonly contractId: string;
  readonly publicKey: string;
  readonly receiverId: string;
}

const ACTS: Readonly<Record<string, Act>> = {
  transfer: (near, { receiverId }) => near.transfer({ receiverId, amount: '7' }),
  callFunction: (near, { contractId }) =>
    near.callFunction({ contractId, method: 'set_greeting', args: { greeting: 'by hooks' } }),
  viewFunction: (near, { contractId }) => near.viewFunction({ contractId, method: 'get_greeting' }),
  batch: (near, { receiverId }) => {
    const pay = { receiverId, actions: [{ type: 'Transfer' as const, params: { deposit: '1' } }] };
    // Its type has the array for the connector's argument, which holds it.
    return near.signAndSendTransactions({ transactions: [pay, pay] } as never);
  },
  addFunctionCallKey: (near, { publicKey, contractId }) =>
    near.addFunctionCallKey({ publicKey, contractId, methodNames: ['set_greeting'], allowance: '5000000' }),
  deleteKey: (near, { publicKey }) => near.deleteKey({ publicKey }),
  signNEP413Message: (near) =>
    near.signNEP413Message({
      message: 'Hello',
      recipient: 'shop.example',
      nonce: new Uint8Array(32).fill(7),
    }),
};

function Dapp() {
  const near = useNearWallet();
  const [answer, setAnswer] = useState('');
  const [input, setInput] = useState('{}');
  if (near.loading) return <p>Loading…</p>;
  const act = (run: () => Promise<unknown>) => () => {
    setAnswer('');
    run().then(
      (value) => setAnswer(JSON.stringify({ value: value ?? null })),
      (error: unknown) => setAnswer(JSON.stringify({ error: messageOf(error) })),
    );
  };
  if (!near.signedAccountId)
    return (
      <>
        <button type="button" onClick={act(near.signIn)}>
          Connect Wallet
        </button>
        <output>{answer}</output>
      </>
    );
  return (
    <>
      <p>Connected as: {near.signedAccountId}</p>
      <label>
        Input <input value={input} onChange={(event) => setInput(event.target.value)} />
      </label>
      {Object.entries(ACTS).map(([name, run]) => (
        <button key={name} type="button" onClick={act(() => run(near, JSON.parse(input) as Input))}>
          {name}
        </button>
      ))}
      <button type="button" onClick={act(near.signOut)}>
        Disconnect
      </button>
      <output>{answer}</output>
    </>
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

createRoot(document.getElementById('root') as HTMLElement).render(
  <NearProvider
    config={{
      network: 'testnet',
      manifest: `${env.VITE_WALLET_ORIGIN}/near-connect.json`,
      providers: { testnet: [env.VITE_NEAR_RPC_URL ?? ''] },
    }}
  >
    <Dapp />
  </NearProvider>,
);
