'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import type { ReceiptToken } from 'kassa'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Address, erc721Abi, isAddress } from 'viem'
import { useReadContract } from 'wagmi'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { isSameAddress } from '../../lib/delivery'
import { chainsByName, getChainLabel } from '../../lib/networks'
import { findHolder } from '../../lib/solana/findHolder'
import { useWallets } from '../../lib/useWallets'
import { Letter } from '../shop/Letter'
import { Copyable } from './Copyable'
import styles from './ReceiptView.module.css'
import { TokenPicture } from './TokenPicture'
import { TransactionLink } from './TransactionLink'

/** Shows a delivered token and its owner according to the chain. */
export function TokenCard({ token }: { token: ReceiptToken }) {
  const { name, chain, contractAddress, tokenId, txId, recipient, mintHash } = token
  const t = useTranslations('receipt')
  const common = useTranslations('common')
  const owner = useOwner(token)
  const { address } = useWallets(chain)
  const [isBroken, setBroken] = useState(false)
  return (
    <article className={styles.token}>
      <div className={styles.wall}>
        {token.imageUrl && !isBroken ? (
          <TokenPicture url={token.imageUrl} name={name ?? ''} onError={() => setBroken(true)} />
        ) : (
          <Letter name={name ?? ''} />
        )}
      </div>
      <div className={styles.about}>
        <h2 className="heading">
          <span lang="en">{name}</span>
          {tokenId && <span className={styles.number}> {common('number', { number: tokenId })}</span>}
        </h2>
        <dl className={styles.facts}>
          {recipient?.includes('@') && (
            <div>
              <dt>{t('heldFor')}</dt>
              <dd>{recipient}</dd>
            </div>
          )}
          {owner && (
            <div>
              <dt>{t('owner')}</dt>
              <dd>
                <Copyable value={owner} what={t('ownerWhat')} />
                {isSameAddress(owner, address) && <span className={styles.you}>{t('you')}</span>}
              </dd>
            </div>
          )}
          {tokenId && (
            <div>
              <dt>{t('tokenId')}</dt>
              <dd className="code">{tokenId}</dd>
            </div>
          )}
          {contractAddress && (
            <div>
              <dt>{t('contract')}</dt>
              <dd>
                <Copyable value={contractAddress} what={t('contractWhat')} />
              </dd>
            </div>
          )}
          {mintHash && (
            <div>
              <dt>{t('mint')}</dt>
              <dd>
                <Copyable value={mintHash} what={t('mintWhat')} />
              </dd>
            </div>
          )}
          {txId && (
            <div>
              <dt>{t('transaction')}</dt>
              <dd>
                <TransactionLink txId={txId} chain={chain} />
              </dd>
            </div>
          )}
          {chain && (
            <div>
              <dt>{t('network')}</dt>
              <dd>{getChainLabel(chain)}</dd>
            </div>
          )}
        </dl>
      </div>
    </article>
  )
}

const useOwner = (token: ReceiptToken): string | undefined => {
  const { recipient } = token
  const onEvm = useEvmOwner(token)
  const onSolana = useSolanaOwner(token)
  // Until the chain answers, the order's recipient is shown.
  return onEvm ?? onSolana ?? (recipient?.includes('@') ? undefined : recipient)
}

const useSolanaOwner = ({ chain, mintHash }: ReceiptToken): string | undefined => {
  const { networks } = useCheckoutShop()
  const network = networks.find(({ name }) => name === chain)
  const read = useQuery({
    queryKey: ['holder', network?.rpcUrl, mintHash],
    queryFn:
      network && mintHash
        ? () => findHolder(network.rpcUrl, mintHash).then((owner) => owner ?? null)
        : skipToken,
  })
  return read.data ?? undefined
}

const useEvmOwner = ({ chain, contractAddress, tokenId }: ReceiptToken): Address | undefined => {
  const isOnEvm = contractAddress !== undefined && isAddress(contractAddress) && tokenId !== undefined
  const chainId = chain === undefined ? undefined : chainsByName[chain]?.id
  const read = useReadContract({
    abi: erc721Abi,
    functionName: 'ownerOf',
    ...(isOnEvm && { address: contractAddress, args: [BigInt(tokenId)] as const }),
    ...(chainId !== undefined && { chainId }),
    query: { enabled: isOnEvm && chainId !== undefined },
  })
  return read.data
}
