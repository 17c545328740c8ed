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

const Item = ({ item, messages }: { item: ShownItem; messages: Messages }) => (
  <li className="item">
    <Picture item={item} />
    <div>
      <p className="item-name">
        {item.name}
        {item.quantity > 1 && <span className="soft">{` × ${item.quantity}`}</span>}
      </p>
      {item.description && <p className="soft">{item.description}</p>}
      {item.price && (
        <p className="price">{messages.each.replace('{price}', formatAmount(item.price, locale))}</p>
      )}
    </div>
  </li>
)

/** What a link sells, before there is an order. */
export const Shown = ({ link, messages }: { link: OpenedLink; messages: Messages }) => (
  <ul className="items">
    {link.lineItems.map((item, at) => (
      <Item
        key={at}
        item={link.maxQuantity === undefined ? item : { ...item, quantity: 1 }}
        messages={messages}
      />
    ))}
  </ul>
)
