# Tells the user in which directory a git command is about to run.
case "$(cat)" in
*'"command":"git '*) printf '{"notice":"git runs in %s"}\n' "$(basename "$PWD")" ;;
esac
