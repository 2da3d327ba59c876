/** The scripts that make shells complete hostdeck. They ask the program for each word. Pure. */

/** The word by which they ask: `hostdeck __complete SHELL ...`; no help names it. */
export const completionWord = '__complete';

export const completionShells = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof completionShells)[number];

/** Names that the shells look for in their folders of completions. */
export const completionFiles: Readonly<Record<CompletionShell, string>> = {
  bash: 'hostdeck.bash',
  zsh: '_hostdeck',
  fish: 'hostdeck.fish',
};

const bash = `# bash completion for hostdeck
_hostdeck() {
  local program=\${COMP_WORDS[0]} kind='' line=''
  type -P -- "$program" >/dev/null 2>&1 || program=hostdeck
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS= read -r line; do COMPREPLY+=("$line"); done
  } < <("$program" ${completionWord} bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
  case $kind in
    files) ;;
    folders) compopt -o dirnames +o default 2>/dev/null ;;
    parts) compopt -o nospace +o default 2>/dev/null ;;
    *) compopt +o default 2>/dev/null ;;
  esac
}
complete -o default -F _hostdeck hostdeck
`;

const zsh = `#compdef hostdeck
# zsh completion for hostdeck
_hostdeck() {
  local -a lines
  local kind
  lines=("\${(@f)$(hostdeck ${completionWord} zsh "\${(@Q)words[1,CURRENT]}" 2>/dev/null </dev/null)}")
  kind=\${lines[1]}
  lines=("\${(@)lines[2,-1]}")
  case $kind in
    files) _files ;;
    folders) _files -/ ;;
    parts) (( \${#lines} )) && _describe hostdeck lines -S '' ;;
    *) (( \${#lines} )) && _describe hostdeck lines ;;
  esac
}
if [[ "\${funcstack[1]}" == _hostdeck ]]; then
  _hostdeck "$@"
else
  compdef _hostdeck hostdeck
fi
`;

const fish = `# fish completion for hostdeck
function __hostdeck_complete
    set -l lines (hostdeck ${completionWord} fish (commandline -opc) (commandline -ct) 2>/dev/null </dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path (commandline -ct)
        case folders
            __fish_complete_directories (commandline -ct)
        case '*'
            printf '%s\\n' $lines[2..-1]
    end
end
complete -c hostdeck -f -a '(__hostdeck_complete)'
`;

/** The scripts by their shells. */
export const completionScripts: Readonly<Record<CompletionShell, string>> = { bash, zsh, fish };
