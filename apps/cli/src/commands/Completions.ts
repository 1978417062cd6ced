/**
 * `mfg completions <shell>`: a script that asks this program for the words that fit.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import { UsageError } from "../CliError.ts"
import * as Program from "../Program.ts"
import * as Screen from "../Screen.ts"

const bash = `# mfg completions bash: put it into ~/.bashrc as
#   source <(mfg completions bash)
_mfg_complete() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <(mfg __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _mfg_complete mfg
`

const zsh = `#compdef mfg
# mfg completions zsh: put it into ~/.zshrc as
#   source <(mfg completions zsh)
_mfg_complete() {
  local -a found
  found=("\${(@f)$(mfg __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -Q -- "\${found[@]}"; else _files; fi
}
compdef _mfg_complete mfg
`

const fish = `# mfg completions fish: put it into ~/.config/fish/completions/mfg.fish
function __mfg_complete
  set -l words (commandline --tokens-expanded --cut-at-cursor 2>/dev/null; or commandline -opc)
  mfg __complete $words[2..-1] (commandline --current-token) 2>/dev/null
end
complete --command mfg --arguments "(__mfg_complete)"
`

const scripts: { readonly [shell: string]: string } = { bash, zsh, fish }

const shells = Object.keys(scripts)

const command = Command.make(
  "completions",
  { shell: Args.text({ name: "shell" }).pipe(Args.withDescription(`${shells.join(", ")}.`)) },
  ({ shell }) => {
    const script = scripts[shell]
    return script === undefined
      ? Effect.fail(
          new UsageError({
            problem: `There are no completions for ${shell}.`,
            nearest: Suggestion.find(shell, shells),
            expected: `There are some for ${shells.join(", ")}.`,
            example: "source <(mfg completions bash)"
          })
        )
      : Screen.write(script)
  }
).pipe(Command.withDescription("Print completions for a shell: source <(mfg completions bash)."))

export const program: Program.Program = Program.make(command)
