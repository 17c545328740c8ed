'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import type { ReceiptToken } from 'kassa'
import type { Credential } from 'kassa/schema'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { isSameAddress } from '../../lib/delivery'
import { getChainLabel, type Network } from '../../lib/networks'
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

// Loaded with a token, so that the page of an order that is not paid yet need not call contracts.
const readOwner = async (networks: readonly Network[], nft: Credential['nft']): Promise<string | null> => {
  const { findOwner } = await import('../../lib/wallet/findOwner')
  return (await findOwner(networks, nft)) ?? null
}

const useOwner = (token: ReceiptToken): string | undefined => {
  const { networks } = useCheckoutShop()
  const { chain, contractAddress, tokenId, mintHash, recipient } = token
  const isMinted = tokenId !== undefined || mintHash !== undefined
  const { data } = useQuery({
    queryKey: ['owner', { chain, contractAddress, tokenId, mintHash }],
    queryFn: chain !== undefined && isMinted ? () => readOwner(networks, { ...token, chain }) : skipToken,
  })
  // Until the chain answers, the order's recipient is shown.
  return data ?? (recipient?.includes('@') ? undefined : recipient)
}
