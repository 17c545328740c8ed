import { formatAmount } from 'kassa'
import type { OpenedLink, ShownItem } from './link.js'
import { locale, type Messages } from './messages/index.js'

/** Returns the address of a picture for a browser, which knows no `ipfs://`. */
const toWebUrl = (url: string): string | undefined => {
  if (url.startsWith('ipfs://')) return `/ipfs/${url.slice('ipfs://'.length)}`
  return url.startsWith('https://') ? url : undefined
}

const Picture = ({ item: { imageUrl } }: { item: ShownItem }) => {
  const src = toWebUrl(imageUrl)
  // A picture that cannot be loaded leaves its place empty.
  return src === undefined ? null : <img className="picture" src={src} alt="" />
}

type ItemProps = { item: ShownItem; isChosen: boolean; messages: Messages }

/** Returns a price, and that it is of one where more than one is or may be bought. */
const showPrice = (
  price: { amount: string; currency: string },
  isOfOne: boolean,
  { each }: Messages,
): string => {
  const text = formatAmount(price, locale)
  return isOfOne ? each.replace('{price}', () => text) : text
}

const Item = ({ item, isChosen, messages }: ItemProps) => (
  <li className="item">
    <Picture item={item} />
    <div>
      <p className="item-name">
        {item.name}
        {!isChosen && item.quantity > 1 && <span className="soft">{` × ${item.quantity}`}</span>}
      </p>
      {item.description && <p className="soft">{item.description}</p>}
      {item.price && (
        <p className="price">{showPrice(item.price, isChosen || item.quantity > 1, messages)}</p>
      )}
    </div>
  </li>
)

/** What a link sells, before there is an order. */
export const Shown = ({ link, messages }: { link: OpenedLink; messages: Messages }) => (
  <ul className="items">
    {link.lineItems.map((item, at) => (
      <Item key={at} item={item} isChosen={link.maxQuantity !== undefined} messages={messages} />
    ))}
  </ul>
)
