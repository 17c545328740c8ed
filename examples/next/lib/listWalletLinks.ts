/** Returns links that open a page in the browsers of wallets that pay on such chains. */
export const listWalletLinks = (page: URL, family: 'evm' | 'solana') => {
  const url = encodeURIComponent(page.href)
  const shop = encodeURIComponent(page.origin)
  const phantom = { name: 'Phantom', href: `https://phantom.app/ul/browse/${url}?ref=${shop}` }
  if (family === 'solana') {
    return [phantom, { name: 'Solflare', href: `https://solflare.com/ul/v1/browse/${url}?ref=${shop}` }]
  }
  const path = `${page.host}${page.pathname}${page.search}`
  return [
    { name: 'MetaMask', href: `https://link.metamask.io/dapp/${path}` },
    { name: 'Coinbase Wallet', href: `https://go.cb-w.com/dapp?cb_url=${url}` },
    { name: 'Trust Wallet', href: `https://link.trustwallet.com/open_url?coin_id=60&url=${url}` },
    phantom,
  ]
}
