# evalmark in a container, as a user without rights: the folder to check is /work.
#   docker build --tag evalmark .                        check, convert and the hook
#   docker build --tag evalmark:scoring --target scoring .   with models as well
#   docker run --rm --volume "$PWD:/work:ro" evalmark check .
# Built by buildah on a stand-in of its base: Debian 12 with Python 3.12. Not built: the one with models.
# For a release, name the base by its digest: docker pull python:3.12-slim prints it.
FROM python:3.12-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/evalmark \
    && /opt/evalmark/bin/pip install --no-cache-dir --require-hashes --requirement requirements/base.txt \
    && /opt/evalmark/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

# torch is the build for CPUs.
FROM build AS build-scoring
RUN /opt/evalmark/bin/pip install --no-cache-dir --constraint scripts/constraints.txt \
    --extra-index-url https://download.pytorch.org/whl/cpu '.[scoring]'

FROM python:3.12-slim AS runtime
RUN useradd --create-home --uid 10001 evalmark
ENV PATH=/opt/evalmark/bin:$PATH
USER evalmark
WORKDIR /work
ENTRYPOINT ["evalmark"]
CMD ["--help"]

FROM runtime AS scoring
COPY --from=build-scoring /opt/evalmark /opt/evalmark

# The last one is what is built if none is named.
FROM runtime AS evalmark
COPY --from=build /opt/evalmark /opt/evalmark
