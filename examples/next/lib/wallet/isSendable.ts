import { members, type WalletToken } from 'kassa/schema'

/** Whether a wallet can send a token. Wallets can send on fewer chains than tokens are found on. */
export const isSendable = ({ chain, contractAddress, tokenId }: WalletToken): boolean =>
  members.transactionChains.some((name) => name === chain) &&
  Boolean(contractAddress) &&
  tokenId !== undefined
