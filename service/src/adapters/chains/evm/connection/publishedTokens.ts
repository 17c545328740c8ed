import type { ChainCurrency } from '#base/ports/currency.js'

/**
 * Tokens of main networks whose balances the service shows. They are no means of payment: those are configured.
 *
 * Written by `node scripts/tokens.mjs`. Two of these lists agree on each name, address and decimals:
 * - @uniswap/default-token-list@22.21.0
 * - @eth-optimism/tokenlist@10.0.1757
 * - @superfluid-finance/tokenlist@5.38.0
 * - @bgd-labs/aave-address-book@4.44.22
 * - @sushiswap/default-token-list@43.3.0
 *
 * The lists are licensed under MIT, and those of Uniswap and SushiSwap under GPL-3.0-or-later. What is here are
 * facts about the chains, and nothing of their text, logos or code.
 */
export const publishedTokens: Readonly<Record<string, readonly ChainCurrency[]>> = {
  arbitrum: [
    { currency: 'usdc', address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', decimals: 6 },
    { currency: 'usdce', address: '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8', decimals: 6 },
    { currency: 'usdt', address: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', decimals: 6 },
    { currency: 'weth', address: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1', decimals: 18 },
  ],
  avalanche: [
    { currency: 'busd', address: '0x9C9e5fD8bbc25984B178FdCE6117Defa39d2db39', decimals: 18 },
    { currency: 'eurc', address: '0xC891EB4cbdEFf6e073e859e987815Ed1505c2ACD', decimals: 6 },
    { currency: 'usdc', address: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', decimals: 6 },
    { currency: 'usdce', address: '0xA7D7079b0FEaD91F3e65f86E8915Cb59c1a4C664', decimals: 6 },
    { currency: 'usdt', address: '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7', decimals: 6 },
    { currency: 'weth', address: '0x49D5c2BdFfac6CE2BFdB6640F4F80f226bc10bAB', decimals: 18 },
  ],
  base: [
    { currency: 'degen', address: '0x4ed4E862860beD51a9570b96d89aF5E1B0Efefed', decimals: 18 },
    { currency: 'eurc', address: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42', decimals: 6 },
    { currency: 'spx', address: '0x50dA645f148798F68EF2d7dB7C1CB22A6819bb2C', decimals: 8 },
    { currency: 'usdc', address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
    { currency: 'weth', address: '0x4200000000000000000000000000000000000006', decimals: 18 },
  ],
  bsc: [
    { currency: 'busd', address: '0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56', decimals: 18 },
    { currency: 'usdc', address: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', decimals: 18 },
    { currency: 'usdt', address: '0x55d398326f99059fF775485246999027B3197955', decimals: 18 },
  ],
  ethereum: [
    { currency: 'ape', address: '0x4d224452801ACEd8B2F0aebE155379bb5D594381', decimals: 18 },
    { currency: 'busd', address: '0x4Fabb145d64652a948d72533023f6E7A623C7C53', decimals: 18 },
    { currency: 'eurc', address: '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c', decimals: 6 },
    { currency: 'mog', address: '0xaaeE1A9723aaDB7afA2810263653A34bA2C21C7a', decimals: 18 },
    { currency: 'spx', address: '0xE0f63A424a4439cBE457D80E4f4b51aD25b2c56C', decimals: 8 },
    { currency: 'usdc', address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
    { currency: 'usdt', address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 },
    { currency: 'weth', address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', decimals: 18 },
  ],
  optimism: [
    { currency: 'usdc', address: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', decimals: 6 },
    { currency: 'usdce', address: '0x7F5c764cBc14f9669B88837ca1490cCa17c31607', decimals: 6 },
    { currency: 'usdt', address: '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58', decimals: 6 },
    { currency: 'weth', address: '0x4200000000000000000000000000000000000006', decimals: 18 },
    { currency: 'wld', address: '0xdC6fF44d5d932Cbd77B52E5612Ba0529DC6226F1', decimals: 18 },
  ],
  polygon: [
    { currency: 'usdc', address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', decimals: 6 },
    { currency: 'usdce', address: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', decimals: 6 },
    { currency: 'usdt', address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', decimals: 6 },
    { currency: 'weth', address: '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619', decimals: 18 },
  ],
}
