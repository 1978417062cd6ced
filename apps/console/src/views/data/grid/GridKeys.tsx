/**
 * Lists the keys of the grid.
 */
import { Dialog } from "../../../ui/Dialog.tsx"

const keys: ReadonlyArray<readonly [keys: string, act: string]> = [
  ["Arrows, Home, End, Page Up, Page Down", "Move; with Ctrl to the edges, with Shift to select"],
  ["Enter, F2, or typing", "Edit the cell; on the number of a row, open the row; on a header, sort"],
  ["Enter, Tab, Escape", "In a cell: keep the text and move, or take it back"],
  ["Shift+Enter on a header", "Sort by a further column"],
  ["Alt+Left, Alt+Right on a header", "Change the width of the column"],
  ["Space on the number of a row", "Select the row"],
  ["Backspace", "Clear the selected cells"],
  ["Delete", "Mark the selected rows for deletion, or keep them"],
  ["Ctrl+D", "Duplicate the selected rows"],
  ["Ctrl+C, Ctrl+V, Ctrl+Shift+V", "Copy, paste over the cells, paste as new rows"],
  ["Ctrl+Z", "Undo the last edit"],
  ["Ctrl+Enter", "Review the edits; once more, send them"]
]

export const GridKeys = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keys of the grid" kind="wide" onClose={onClose}>
    <table>
      <tbody>
        {keys.map(([combination, act]) => (
          <tr key={combination}>
            <th scope="row">{combination}</th>
            <td>{act}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Dialog>
)
