# Adds a note to the output of a tool, for the model.
cat > /dev/null
printf '{"context":"Generated files are under build/: leave them alone."}'
