import styles from './Letter.module.css'

/** Stands in for the picture of something that has none: the first letter of its name. */
export function Letter({ name }: { name: string }) {
  return (
    <span className={styles.box} aria-hidden="true">
      {/* By characters, as an emoji is longer than one unit of a string. */}
      <span className={styles.letter}>{[...name][0]?.toUpperCase()}</span>
    </span>
  )
}
