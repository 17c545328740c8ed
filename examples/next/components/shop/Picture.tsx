/** An edition's picture, or its first letter where there is none. */
export function Picture(props: { src: string | undefined; name: string; isFirst?: boolean; alt?: string }) {
  const { src, name, isFirst = false, alt = name } = props
  if (!src) {
    return (
      <span className="heading soft" aria-hidden="true">
        {name.slice(0, 1)}
      </span>
    )
  }
  return (
    // The service serves pictures at an address known only at run time, which next/image cannot be told.
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
