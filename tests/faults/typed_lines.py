"""What users type: lines for a shell, and the files that they may read."""

FILES = {
    "words.txt": "crane\nslate\ntrace\ncrate\ncaret\nadieu\nraise\n",
    "more.txt": "moist\nloudy\n",
    "sums.txt": "1+1=2\n1+2=3\n2+1=3\n3-1=2\n3-2=1\n",
    "more-sums.txt": "4-3=1\n4-1=3\n",
    "prior.txt": "1123 3\n1122 2\n1345 5\n6543 1\n",
    "likely.txt": "crane 4\nslate 1\ntrace 2\n",
    "game.txt": "secret: 4412\n1123\n2434\n4412\n",
    "games.jsonl": (
        '{"game": "mm-3-4", "player": "Ann", "moves": [["112", "1,0"], ["134", "3,0"]]}\n'
        '{"game": "mm-3-4", "player": "Bob", "moves": [["123", "0,2"], ["341", "3,0"]]}\n'
        '{"game": "mm-2-3", "player": "Bob", '
        '"moves": [["11", "0,0"], ["22", "1,0"], ["23", "2,0"]]}\n'
    ),
    "doubtful.jsonl": (
        '{"game": "mm-2-3", "player": "Bob", '
        '"moves": [["11", "0,0"], ["22", "0,0"], ["33", "2,0"]]}\n'
        '{"game": "mm-2-3", "moves": [["11", "9,9"]]}\n'
    ),
}
"""Files in the folder where a trial runs, next to the samples of the tests."""

EXIT_CODES = {
    "codebreaker suggest 1123:1,1 1415:0,2 1415:3,0": 2,
    "codebreaker suggest -g mm-3-4 112:3,1": 2,
    "codebreaker score doubtful.jsonl": 1,
    "codebreaker verify tests/samples/mm-3-4-fault.contest --game mm-3-4": 1,
}
"""Exit codes other than 0 that a line asks for."""

RANDOM = ["codebreaker play"]
"""Lines that draw a secret at random: their output isn't compared."""

QUICK = [
    "codebreaker suggest 1122:1,1",
    "codebreaker suggest -p entropy",
    "codebreaker tree --secret 4412 -f json",
]
"""Lines that `make test` tries: little is compiled."""

PROGRAM = [
    "codebreaker",
    "codebreaker --version",
]
SUGGEST = [
    "codebreaker suggest",
    "codebreaker suggest 1122:1,1",
    "codebreaker suggest 1111:0,0",
    "codebreaker suggest 1122:1,1 --exact",
    "codebreaker suggest 1123:1,1 1415:2,0 --exact -f json",
    "codebreaker suggest --list 1123:1,1 1415:2,0",
    "codebreaker suggest 1122:1,1 4412:4,0 -f plain",
    "codebreaker suggest -g mm-3-4 112:3,1",
    "codebreaker suggest -f rich 1122:1,1",
    "codebreaker suggest -f json 1122:1,1",
    "codebreaker suggest -f plain -g mm-3-4",
    "codebreaker suggest -f auto -g black-3-4 112:1",
    "codebreaker suggest -g mm-4-7 1122:1,0",
    "codebreaker suggest -g mm-4-5 1122:1,1",
    "codebreaker suggest -g mm-3-6 112:1,1",
    "codebreaker suggest -g bc-4-6 0123:1,1 --exact",
    "codebreaker suggest -g mm-5-6 11223:1,1 11445:1,0 --exact",
    "codebreaker suggest -g mm-6-6 112233:0,2 112344:1,1",
    "codebreaker suggest -g black-3-4 --exact",
    "codebreaker suggest -g mm-4-6-distinct 1122:1,0",
    "codebreaker suggest -g matches --words words.txt --more-words more.txt crane:3",
    "codebreaker suggest -g marks --words words.txt",
    "codebreaker suggest -g marks --words sums.txt --more-words more-sums.txt "
    "--alphabet 0123456789+-= 1+2=3:ggygb",
    "codebreaker suggest -g marks-five --guess-pool hard raise:bybbb",
    "codebreaker suggest -g matches-example",
    "codebreaker suggest -g pegs-example",
    "codebreaker suggest --prior prior.txt",
    "codebreaker suggest --prior likely.txt -g marks --words words.txt -p optimal",
    "codebreaker suggest -g mm-8-10 --samples 64 11223344:1,2 55667788:0,1",
    "codebreaker suggest -p sampled --sample-seed 2 -g mm-4-6 1122:1,1 -f json",
    "codebreaker suggest -g mm-4-5 --table 1 1122:1,1",
    "codebreaker suggest -p optimal -g mm-3-4",
    "codebreaker suggest -p optimal -g mm-3-5 112:1,0",
    "codebreaker suggest -p best-known 1123:1,1",
    "codebreaker suggest -p first-consistent 1122:1,1",
    "codebreaker suggest -p worst-case 1122:1,1",
    "codebreaker suggest -p expected-size 1122:1,1",
    "codebreaker suggest -p entropy",
    "codebreaker suggest -p entropy 1122:1,1",
    "codebreaker suggest -p entropy -g mm-5-6 11223:0,1",
    "codebreaker suggest -p most-parts 1122:1,1",
    "codebreaker suggest -p entropy-base-parts 1122:1,1",
    "codebreaker suggest -p most-parts-two-steps -g mm-3-6 112:0,1",
    "codebreaker suggest -p most-parts-two-then-one -g mm-3-6",
    "codebreaker suggest -p entropy-with-most-parts 1122:1,1",
    "codebreaker suggest -p entropy-then-most-parts 1122:1,1",
    "codebreaker suggest -p renyi-0.5 1122:1,1",
    "codebreaker suggest -p tsallis-1.3 1122:1,1",
    "codebreaker suggest -p mix-most-parts-entropy-0.4 1122:1,1",
    "codebreaker suggest -p fixed-weighted 1122:1,1",
    "codebreaker suggest -p stage-weighted",
    "codebreaker suggest -p stage-weighted-unrounded 1122:1,1",
    "codebreaker suggest -p stage-weighted-turns-4-6-uniform 1122:1,1",
    "codebreaker suggest -p stage-weighted-repository 1122:1,1",
    "codebreaker suggest -p stage-weighted-5630 1122:1,1",
    "codebreaker suggest -p context-weighted-5625",
    "codebreaker suggest -p context-weighted-5626 1122:1,1",
    "codebreaker suggest -p stage-weighted-179273 -g mm-5-8 11223:1,1 11445:1,0",
    "codebreaker suggest -p endgame-weighted-179064 -g mm-5-8 11223:1,1 11445:1,0",
    "codebreaker suggest --opening 1123",
    "codebreaker suggest --opening 1234 -p entropy",
    "codebreaker suggest --guess-pool consistent 1122:1,1",
    "codebreaker suggest --guess-pool all -p entropy 1122:1,1",
    "codebreaker suggest --tie-break lexicographic -p entropy 1122:1,1",
    'codebreaker suggest --tie-break "consistent then lexicographic" -p entropy 1122:1,1',
    'codebreaker suggest --tie-break "consistent then reversed lexicographic" -p entropy 1122:1,1',
    'codebreaker suggest --tie-break "first consistent then last" -p entropy 1122:1,1',
    "codebreaker suggest --endgames 8 -p entropy 1122:1,1",
]
PLAY = [
    r"printf '1234\n?\nundo\n/undo\n1122\nquit\n' | codebreaker play --seed 1",
    r"printf '11\n12\n21\n22\n' | codebreaker play -g mm-2-2 --secret 22 -f json",
    r"printf '112\n234\n' | codebreaker play -g mm-3-4 --secret 234 -f rich",
    r"printf '112\n234\n' | codebreaker play -g mm-3-4 --secret 234 -f plain -p entropy",
    r"printf '1122\nquit\n' | codebreaker play --codemaker devious -f auto",
    r"printf '1,2\n?\nquit\n' | codebreaker play --solver -g mm-8-10 --samples 64 --sample-seed 3",
    r"printf '112\n234\n' | codebreaker play -g mm-3-4 --secret 234 --table 2",
    r"printf '112\n?\n234\nquit\n' | codebreaker play -g mm-3-4 --codemaker honest --secret 111",
    r"printf '1,1\n?\nundo\n1,2\n4,0\n' | codebreaker play --solver",
    r"printf '1,0\n3,0\n' | codebreaker play --solver -g mm-3-4 --opening 123 --endgames 4 -p "
    "entropy",
    r"printf 'crane\n?\nslate\n' | codebreaker play -g marks --words words.txt --secret slate",
    r"printf 'crane\ntrace\n' | codebreaker play -g marks --words words.txt --more-words "
    "more.txt --guess-pool hard --secret trace",
    r"printf 'crane\ntrace\n' | codebreaker play -g marks --words words.txt --prior "
    "likely.txt --secret trace",
    r"printf '4-1=3\n3-1=2\n' | codebreaker play -g pegs --words sums.txt "
    "--more-words more-sums.txt --alphabet 0123456789+-= --secret 3-1=2",
    r"printf '112\n234\n' | codebreaker play -g mm-3-4 --secret 234 --tie-break lexicographic "
    "-p entropy",
]
TREE = [
    "codebreaker tree --secret 4412 -f json",
    "codebreaker tree -f rich -g mm-2-3",
    "codebreaker tree -g mm-3-4 --table 1 --depth 1",
    "codebreaker tree -f plain -g mm-2-3",
    "codebreaker tree -f auto -g mm-3-5 -p entropy",
    "codebreaker tree -f dot -g mm-2-3",
    "codebreaker tree -f parquet -g mm-2-3 > tree.parquet",
    "codebreaker tree -p optimal -g mm-3-3",
    "codebreaker tree -p entropy -g mm-3-5 --opening 112 --endgames 6 --depth 2",
    "codebreaker tree -p entropy -g marks --words words.txt --more-words more.txt "
    "--guess-pool hard",
    "codebreaker tree -p entropy -g marks --words words.txt --prior likely.txt",
    'codebreaker tree -p most-parts -g mm-3-5 --tie-break "first consistent then last"',
    "codebreaker tree -g marks --words words.txt -f json > tree.json && codebreaker verify "
    "tree.json -g marks --words words.txt --more-words more.txt -f auto",
    "codebreaker tree -g matches --words sums.txt --more-words more-sums.txt "
    "--alphabet 0123456789+-= -f json > tree.json && codebreaker verify tree.json -g matches "
    "--words sums.txt --more-words more-sums.txt --alphabet 0123456789+-=",
]
SOLVE = [
    "codebreaker solve mm-3-4",
    "codebreaker solve --game mm-2-4 --table 1",
    "codebreaker solve mm-2-5 --max-guesses 5 --out tree.contest",
    "codebreaker solve mm-2-3 --out tree.txt --as parquet -f plain && codebreaker verify tree.txt",
    "codebreaker solve mm-2-3 --out tree.txt --as json -f rich",
    "codebreaker solve mm-2-3 --out tree.txt --as dot -f auto",
    "codebreaker solve mm-2-3 --out tree.txt --as contest --guess-pool consistent",
    "codebreaker solve mm-3-3 --time-limit 600 --memory 16 --checkpoints kept --certificate c.json",
    "codebreaker solve marks --words words.txt --more-words more.txt --guess-pool hard",
    "codebreaker solve marks --words words.txt --prior likely.txt -f json",
    "codebreaker solve pegs --words sums.txt --more-words more-sums.txt --alphabet 0123456789+-=",
]
VERIFY = [
    "codebreaker verify tests/samples/mm-3-4.parquet",
    "codebreaker verify tests/samples/mm-3-4.json -f json",
    "codebreaker verify tests/samples/mm-3-4.json --table 1",
    "codebreaker verify tests/samples/mm-3-4.yaml -g mm-3-4 -f plain",
    "codebreaker verify tests/samples/mm-3-4.contest -g mm-3-4 --from contest -f rich",
]
SCORE = [
    "codebreaker score doubtful.jsonl",
    "codebreaker score --game mm-3-4 112:1,0 134:3,0",
    "codebreaker score --game mm-3-4 --guess-pool all 112:1,0 133:3,0",
    "codebreaker score --game mm-3-4 --guess-pool consistent 112:1,0 133:3,0",
    "codebreaker score --game marks-five --guess-pool hard --policy entropy raise:ggggg",
    "codebreaker score --game mm-4-5 1122:1,0 1344:1,1",
    "codebreaker score --game bc-4-6 0123:1,1 0245:1,1",
    "codebreaker score -g marks --words sums.txt --more-words more-sums.txt "
    "--alphabet 0123456789+-= 1+2=3:ggygb 1+1=2:ggggg",
    "codebreaker score game.txt --player Ann -f json",
    "codebreaker score game.txt --game mm-4-6 --table 4",
    "codebreaker score game.txt --policy entropy -f plain",
    "codebreaker score games.jsonl --exact -f rich",
    "codebreaker score -f auto < game.txt",
]
GAMES = [
    "codebreaker games",
    "codebreaker games -f auto",
    "codebreaker games -f json",
    "codebreaker games -f plain",
    "codebreaker games -f rich",
]
POLICIES = [
    "codebreaker policies -g mm-5-8 -f auto",
    "codebreaker policies -f json",
    "codebreaker policies -g mm-3-4 --table 1",
    "codebreaker policies -f plain",
    "codebreaker policies -f rich",
]
COMPLETION = [
    "codebreaker completion bash",
    "codebreaker completion zsh",
    "codebreaker completion fish",
    'env _CODEBREAKER_COMPLETE=complete_bash COMP_WORDS="codebreaker suggest -g mm-3" '
    "COMP_CWORD=3 $RUN",
]
LINES = [
    *PROGRAM,
    *SUGGEST,
    *PLAY,
    *TREE,
    *SOLVE,
    *VERIFY,
    *SCORE,
    *GAMES,
    *POLICIES,
    *COMPLETION,
]
