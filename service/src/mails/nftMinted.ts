/** What the mail about a minted token tells of it. */
export type NftMinted = {
  tokenName: string
  collectionName: string
  /** Who the recipient knows it from; the project's own name where it is left out. */
  projectName?: string
  /** Where a mail program finds the picture; empty, or anything but http and https, means that there is none. */
  imageUrl: string
  /** The interface's name of the chain. */
  chain: string
  contractAddress: string
  tokenId: string
  explorerUrl?: string
}
