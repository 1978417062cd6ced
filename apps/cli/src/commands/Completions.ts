/**
 * `mfg completions <shell>`: writes a script that gets completions from this program.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import { UsageError } from "../CliError.ts"
import * as Main from "@mfgdata/shell/Main"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"

const bash = `# mfg completions bash: add this line to ~/.bashrc
#   source <(mfg completions bash)
_mfg_complete() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <(mfg ${Main.completing} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _mfg_complete mfg
`

const zsh = `#compdef mfg
# mfg completions zsh: add this line to ~/.zshrc
#   source <(mfg completions zsh)
_mfg_complete() {
  local -a found
  found=("\${(@f)$(mfg ${Main.completing} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -Q -- "\${found[@]}"; else _files; fi
}
compdef _mfg_complete mfg
`

const fish = `# mfg completions fish: save this as ~/.config/fish/completions/mfg.fish
function __mfg_complete
  set -l words (commandline --tokens-expanded --cut-at-cursor 2>/dev/null; or commandline -opc)
  set -l found (mfg ${Main.completing} $words[2..-1] (commandline --current-token) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline --current-token)
  end
end
complete --command mfg --no-files --arguments "(__mfg_complete)"
`

const scripts: { readonly [shell: string]: string } = { bash, zsh, fish }

const shells = Object.keys(scripts)

const command = Command.make(
  "completions",
  { shell: Args.text({ name: "shell" }).pipe(Args.withDescription(`Shell: ${shells.join(", ")}.`)) },
  ({ shell }) => {
    const script = scripts[shell]
    return script === undefined
      ? Effect.fail(
          new UsageError({
            problem: `Unknown shell ${shell}: expected one of ${shells.join(", ")}.`,
            nearest: Suggestion.find(shell, shells),
            example: "source <(mfg completions bash)"
          })
        )
      : Terminal.write(script)
  }
).pipe(Command.withDescription("Write the completion script of a shell. For example: source <(mfg completions bash)"))

export const program: Program.Program = Program.make(command)
