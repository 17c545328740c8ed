import type { Token, TokenTable } from './rules.js'

const usdc = (address: Token['address']) => ({ usdc: { address, decimals: 6 } })

/**
 * The tokens this package knows: Circle's native USDC, not the bridged ones, on every chain where Circle
 * issues it.
 *
 * @source developers.circle.com/stablecoins/usdc-contract-addresses
 */
export const knownTokens: TokenTable = {
  arbitrum: usdc('0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
  'arbitrum-sepolia': usdc('0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d'),
  avalanche: usdc('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'),
  'avalanche-fuji': usdc('0x5425890298aed601595a70AB815c96711a31Bc65'),
  base: usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  'base-sepolia': usdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e'),
  ethereum: usdc('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  'ethereum-sepolia': usdc('0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'),
  optimism: usdc('0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
  'optimism-sepolia': usdc('0x5fd84259d66Cd46123540766Be93DFE6D43130D7'),
  polygon: usdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
  'polygon-amoy': usdc('0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582'),
}
