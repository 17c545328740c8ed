import { Letter } from './Letter'

/** Shows an edition's picture, or its first letter if it has none. */
export function Picture(props: { src: string | undefined; name: string; isFirst?: boolean; alt?: string }) {
  const { src, name, isFirst = false, alt = name } = props
  if (!src) return <Letter name={name} />
  return (
    // The service's picture address is known only at run time, and next/image needs it at build time.
    <img
      src={src}
      alt={alt}
      width={1200}
      height={1200}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
    />
  )
}
