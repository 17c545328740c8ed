import { Field } from '../components/Field.js'
import { Labelled } from '../components/Labelled.js'
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
export const PictureFields = ({ url, onUrl, onFile }: PictureFieldsProps) => (
  <>
    <Field label={s.picture} name="imageUrl" hint={s.pictureText} type="url" value={url} onValue={onUrl} />
    <Labelled label={s.pictureFile} hint={s.pictureFileText}>
      {(control) => (
        <input {...control} type="file" accept={types} onChange={({ target }) => onFile(target.files?.[0])} />
      )}
    </Labelled>
  </>
)
