'use client'

import { type ReactElement, useCallback, useState } from 'react'
import { useProvided } from '../../../hooks/checkoutContext.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { LineItem } from '../../../schema/index.js'
import { useCheckoutItem } from '../RootContext.js'

/**
 * Resolves a picture's address for a browser: `ipfs://` addresses go through a gateway, others stay as they
 * are.
 *
 * @param gateway - Serves content by its CID, such as `https://shop.example/ipfs/`. Without one, `ipfs://`
 * addresses stay as they are too.
 */
const resolveImageUrl = (url: string, gateway: string | undefined): string => {
  const path = /^ipfs:\/\/(?:ipfs\/)?(.+)$/.exec(url)?.[1]
  return path === undefined || gateway === undefined ? url : `${gateway.replace(/(?<!\/)\/+$/, '')}/${path}`
}

export declare namespace CheckoutItemImage {
  /** State of {@link CheckoutItemImage}. */
  export type State = { status: 'loading' | 'loaded' | 'failed' }

  /** Props of {@link CheckoutItemImage}. */
  export type Props = Omit<PartProps<'img', CheckoutItemImage.State>, 'children'>
}

const size = 96

const select = (item: LineItem | undefined) => ({ name: item?.metadata?.name, url: item?.metadata?.imageUrl })

/**
 * Renders an `<img>`. Shows a line item's picture, including IPFS pictures. Shows the item's name if the
 * picture fails to load, and nothing if the item has no picture.
 */
export function CheckoutItemImage(props: CheckoutItemImage.Props): ReactElement | null {
  const { name, url } = useCheckoutItem('ItemImage', select)
  const src = resolveImageUrl(url ?? '', useProvided()?.imageGateway)
  const [known, setKnown] = useState<CheckoutItemImage.State & { src?: string }>({ status: 'loading' })
  // An image that loaded or failed before hydration fires no more events, so the element's state is read
  // instead.
  const ref = useCallback(
    (image: HTMLImageElement | null) => {
      if (image?.complete && image.naturalWidth > 0) setKnown({ src, status: 'loaded' })
    },
    [src],
  )
  const state: CheckoutItemImage.State = { status: known.src === src ? known.status : 'loading' }
  const element = useRender('img', 'item-image', props, state, {
    src,
    alt: name ?? '',
    // A square by default, so that the layout does not shift when the picture loads.
    width: size,
    height: size,
    loading: 'lazy',
    decoding: 'async',
    ref,
    onLoad: () => setKnown({ src, status: 'loaded' }),
    onError: () => setKnown({ src, status: 'failed' }),
  })
  return url ? element : null
}
