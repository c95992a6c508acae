# A workflow that uses this one as a module.

configfile: "mine.yaml"
module codebreaker:
    snakefile: "{ROOT}/Snakefile"
    config: config
    prefix: "mastermind"
use rule * from codebreaker as codebreaker_*
