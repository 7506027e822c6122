/** The texts of the list of tokens and of the form that sends, in English. A name in braces is filled by what it names. */
export const englishTokens = {
  list: {
    label: 'Tokens',
    reading: 'Reading…',
    none: 'No tokens yet',
    noneMore: 'If a token of yours is missing, add it by its address.',
    /** In quotes: these are the words of whoever made the token. */
    symbol: '“{symbol}”',
    at: 'Token’s address: {token}',
    isNotNear: 'Not NEAR',
    isNotNearMore: 'Its name reads like NEAR, and it is something else.',
    looksLike: 'Copied name',
    looksLikeMore:
      'Its name is that of the token at {token}. Anybody can copy a name; compare the addresses.',
    unread: 'This token could not be read.',
    send: 'Send',
    sendOf: (symbol: string) => `Send “${symbol}”`,
    hide: 'Hide',
    hideOf: (token: string) => `Hide ${token}`,
    add: 'Add a token',
    address: 'Token’s address',
    addressHint:
      'The account that keeps the token, such as {example}. Ask whoever makes the token; the name alone is not enough.',
    addDo: 'Add',
    adding: 'Looking…',
    noAddress: 'Type the token’s address.',
    notAnAddress:
      'No token can have this address. It is the name of an account, without spaces and capitals.',
  },
  send: {
    what: 'What',
    near: (amount: string) => `NEAR, ${amount}`,
    token: (symbol: string, amount: string, token: string) => `“${symbol}”, ${amount} (${token})`,
    careful: 'Be careful.',
    receiver: 'Receiver',
    receiverHint: (example: string) => `An account name, such as ${example}`,
    amount: (symbol: string) => `Amount in ${symbol}`,
    spendable: 'You can spend {amount}.',
    have: 'You have {amount}.',
    most: 'All but 0.01 NEAR, kept for fees',
    all: 'All of it',
    send: 'Send',
    sending: 'Sending…',
    noReceiver: 'Type the account that gets it.',
    notAnAccount:
      'No account can have this name. It has 2 to 64 characters: a to z, 0 to 9, and . - _ between them.',
    isYourself: 'This is the account that you send from.',
    isTheToken: 'This is the token’s own address. What is sent there is lost.',
    isNowhere: (account: string, network: string) =>
      `There is no account ${account} on ${network}. Ask the receiver for the exact name.`,
    unread: (reason: string) => `Whether that account exists could not be read: ${reason}`,
    noAmount: 'Type how much, such as 1.5.',
    notAnAmount: (decimals: number) =>
      `Write the amount in digits with a point, such as 1.5: no comma, no sign, and at most ${decimals} decimals.`,
    isZero: 'The amount must be more than 0.',
    isTooMuch: 'That is more than you can spend.',
    cancelled: 'You did not approve it. Nothing was sent.',
    storage: 'You also paid {amount}, so that {receiver} can hold this token.',
  },
};

export type TokenTexts = typeof englishTokens;
