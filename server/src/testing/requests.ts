/** A well-formed registration request with made-up cryptographic content. */
export function registrationRequest(changes: Record<string, unknown> = {}) {
  const bytes = (length: number) => Array.from({ length }, (_, index) => index);
  return {
    new_account_id: 'alice.w3a-v1.testnet',
    new_public_key: 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2',
    device_number: 1,
    vrf_data: {
      vrf_input_data: bytes(32),
      vrf_output: bytes(64),
      vrf_proof: bytes(80),
      public_key: bytes(32),
      user_id: 'alice.w3a-v1.testnet',
      rp_id: 'localhost',
      block_height: 12_345,
      block_hash: bytes(32),
      intent_digest_32: bytes(32),
    },
    webauthn_registration: {
      id: 'Y3JlZA',
      rawId: 'Y3JlZA',
      type: 'public-key',
      response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] },
    },
    deterministic_vrf_public_key: bytes(32),
    ...changes,
  };
}
