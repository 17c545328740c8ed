import type { WalletPort } from '../../src/chains/walletPort.js'

/** The wallets of a chain in memory. */
export const createFakeWallets = (): WalletPort => {
  const away = () => {
    throw new Error('the chain in memory has no wallets yet')
  }
  return {
    smartWalletAddress: away,
    encodeCalls: away,
    getOperationNonce: away,
    prepareOperation: away,
    hashOperation: away,
    readApproval: away,
    signMessage: away,
    sendOperations: away,
    tryCall: away,
    sendCall: away,
    getBalances: away,
    fund: away,
    findTransfers: away,
    readTokens: away,
    findOwner: away,
  }
}
