/** A minted token, as the data of an e-mail. */
export const mintedToken = {
  tokenName: 'Dunes at Dusk #7',
  collectionName: 'Dunes',
  projectName: 'Recto',
  imageUrl: 'https://pictures.example/7.png',
  chain: 'base-sepolia',
  contractAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  tokenId: '7',
  explorerUrl: 'https://explorer.example/token/7',
}
