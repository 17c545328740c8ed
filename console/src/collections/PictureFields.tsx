import { useId } from 'react'
import { Field } from '../components/Field.js'
import { t } from '../messages/index.js'

const s = t.collections

const types = 'image/png,image/jpeg,image/gif,image/webp,image/avif,image/svg+xml'

type PictureFieldsProps = {
  url: string
  onUrl(url: string): void
  /** Receives the chosen file, or `undefined` when it is taken back. */
  onFile(file: File | undefined): void
}

/** Renders the two fields of a picture: its URL, or a file. */
export const PictureFields = ({ url, onUrl, onFile }: PictureFieldsProps) => {
  const id = useId()
  return (
    <>
      <Field label={s.picture} hint={s.pictureText} type="url" value={url} onValue={onUrl} />
      <div className="field">
        <label htmlFor={id}>{s.pictureFile}</label>
        <input
          id={id}
          type="file"
          accept={types}
          className="input"
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onFile(target.files?.[0])}
        />
        <p id={`${id}-hint`} className="hint">
          {s.pictureFileText}
        </p>
      </div>
    </>
  )
}
